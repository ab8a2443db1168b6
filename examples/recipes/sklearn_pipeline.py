"""Isomap of geodome in a pipeline of scikit-learn: scaling, embedding and a classifier, with a grid search.

    python examples/recipes/sklearn_pipeline.py [--samples 800]      (pip install scikit-learn)
"""

import argparse

import geodome
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline


def main(samples: int = 800, output: str = "sklearn_pipeline.npy") -> None:
    X, y = load_digits(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X[:samples], y[:samples], random_state=0)
    pipeline = make_pipeline(geodome.Isomap(), KNeighborsClassifier())
    search = GridSearchCV(pipeline, {"isomap__n_components": [2, 8], "isomap__n_neighbors": [5, 10]}, cv=3)
    search.fit(train, y_train)
    print(f"best: {search.best_params_}; accuracy {search.score(test, y_test):.3f} on {len(test)} new samples")
    isomap = search.best_estimator_[0]
    print(f"error of the coordinates: {isomap.error_:.1e}; {isomap.matrix_}")
    np.save(output, isomap.embedding_)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=800)
    parser.add_argument("--output", default="sklearn_pipeline.npy")
    main(**vars(parser.parse_args()))
