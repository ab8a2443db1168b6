# make demo   a first look: installs what is missing, builds, ends with a page to open
# make install PREFIX=FOLDER  program, library and headers into FOLDER (default: ~/.local)
# make test   every test: C++ (also under sanitizers, also without CHOLMOD), install, Python, scripts, exports, browser
# make results DATA=FOLDER   measures again what the documentation states and rewrites its tables; PAGES="near matching": some
# make docs   the documentation as a web site in build/docs; DATA=FOLDER: tutorials on your own meshes
# make build-mpi  the program for clusters, build/mpi/geodome-mpi (docs/howto/cluster.md); SLEPC=1: with SLEPc
# make fuzz SECONDS=600    every fuzz target for so long
# make wheel     Python wheels that need nothing of the system, into build/wheels (scripts/build_wheels)
# make package   Debian packages and an archive of program and library, into build/packages
# make release-check       what is checked before a release besides the tests (scripts/release_check)

JOBS ?= $(shell nproc)
export CTEST_PARALLEL_LEVEL ?= $(JOBS)
export CTEST_OUTPUT_ON_FAILURE = 1
python = build/python/bin/python

.PHONY: build program install program-mpi demo test test-release test-checked test-install test-python python-package python-tests test-scripts \
        test-exports test-browser build-mpi program-for-ranks test-mpi test-ranks bench bench-programs results docs fuzz wheel package release-check format lint clean

build: configure-release
	cmake --build build/release -j $(JOBS)

# Configured once, and again when the page's packages are newer (without them the program is built without its page) or
# when the folder was configured for the program alone.
configured = test build/release/build.ninja -nt build/viewer/installed.json
configure-release:
	@scripts/setup build viewer
	@$(configured) && grep -q GEODOME_BUILD_TESTS:BOOL=ON build/release/CMakeCache.txt || \
	  cmake --preset release --log-level=WARNING >/dev/null

configure-program:
	@scripts/setup program viewer
	@$(configured) || cmake --preset program --log-level=WARNING >/dev/null

# The program and its page, without tests and what they need.
program: configure-program
	@cmake --build build/release --target geodome_cli -- -n | grep -q 'no work to do' || \
	  echo 'Compiling geodome: 2 to 5 minutes on two cores'
	@cmake --build build/release -j $(JOBS) --target geodome_cli

PREFIX = $(HOME)/.local

install: program
	@cmake --install build/release --prefix "$(PREFIX)" >/dev/null
	@echo 'Installed $(PREFIX)/bin/geodome'

demo: program
	@scripts/demo build/release/geodome build/demo

# What is of one thread most of the time runs beside other work. The last three are each printed when they end.
test: test-scripts test-release test-install test-exports program-for-ranks
	@scripts/setup python browser
	@$(MAKE) --no-print-directory -j2 --output-sync=line test-checked python-package
	@$(MAKE) --no-print-directory -j2 --output-sync=target python-tests test-browser test-ranks

# Compiled once, run against the library as it is and, for the factorisation, without CHOLMOD.
test-release: build
	ctest --test-dir build/release -E '^(long_)?checked\.'

test-checked: configure-release
	cmake --build build/release -j $(JOBS) --target checked_tests
	ctest --test-dir build/release -R '^checked\.'

test-install: build
	scripts/test_install build/release build/install

test-python: test-install
	@scripts/setup python
	@$(MAKE) --no-print-directory python-package
	@$(MAKE) --no-print-directory python-tests

# On the library that test-install has installed: compiling that once more would double the time.
python-package:
	$(python) -m pip install --quiet --no-build-isolation --no-deps --config-settings build-dir=build/wheel \
	  --config-settings cmake.define.GEODOME_INSTALLED=$(CURDIR)/build/install .

python-tests:
	$(python) -m pytest -q tests/python

test-scripts:
	@scripts/setup python
	scripts/check_folder_order
	$(python) -m pytest -q tests/scripts

test-exports: build
	@scripts/setup python
	$(python) -m pytest -q tests/exports

test-browser: build
	@scripts/setup browser
	scripts/demo build/release/geodome build/demo
	node --test tests/browser/*.test.mjs

# With the Python package, for comparisons with other packages.
bench-programs:
	@scripts/setup build bench
	@test -f build/bench/build.ninja || cmake --preset bench --log-level=WARNING
	cmake --build build/bench -j $(JOBS)
	cmake --install build/bench --prefix build/bench/install >/dev/null
	build/python-bench/bin/python -m pip install --quiet --no-build-isolation --no-deps --config-settings \
	  build-dir=build/bench/wheel --config-settings cmake.define.GEODOME_INSTALLED=$(CURDIR)/build/bench/install .

bench: bench-programs
	scripts/bench build/bench build/bench-results $(DATA)

PAGES =

# Hours for all pages. What fails or lacks files is named, and its table stays; scripts/results continues with --resume.
results:
	@test -n "$(DATA)" || { echo 'make results needs DATA=FOLDER, a folder of meshes: scripts/results --list' >&2; exit 2; }
	@$(MAKE) --no-print-directory bench-programs
	scripts/results build/bench $(DATA) $(PAGES)

# Compiles cluster/ and links the library and the commands that are there.
build-mpi: configure-program
	@scripts/setup cluster
	@$(MAKE) --no-print-directory program-mpi

program-mpi:
	@$(if $(SLEPC),scripts/setup slepc)
	@cmake build/release --log-level=WARNING -DGEODOME_WITH_MPI=ON -DGEODOME_WITH_SLEPC=$(if $(SLEPC),ON,OFF) \
	  -DGEODOME_CLUSTER_FOLDER=$(CURDIR)/build/mpi >/dev/null
	cmake --build build/release -j $(JOBS) --target geodome_mpi

# With the program alone: tests compare what both programs compute.
test-mpi: program-for-ranks
	@scripts/setup python
	@$(MAKE) --no-print-directory test-ranks

program-for-ranks: program
	@if scripts/setup cluster; then $(MAKE) --no-print-directory program-mpi; else rm -f build/mpi/geodome-mpi; fi

test-ranks:
	@if test -x build/mpi/geodome-mpi; then $(python) -m pytest -q tests/cluster; \
	else echo 'test-ranks: SKIPPED, no build/mpi/geodome-mpi: make program-for-ranks builds it where MPI can be installed'; fi

# From the help of the program, the docstrings of the package and the installed headers.
docs: program
	@scripts/setup docs
	cmake --install build/release --prefix build/install >/dev/null
	build/python-docs/bin/pip install --quiet --no-build-isolation --no-deps --config-settings build-dir=build/wheel \
	  --config-settings cmake.define.GEODOME_INSTALLED=$(CURDIR)/build/install .
	DATA=$(abspath $(DATA)) scripts/docs build/release/geodome build/install build/docs

# Not SECONDS ?=: bash has a variable of that name.
SECONDS = 60
TARGETS =

fuzz:
	@scripts/setup build fuzz
	@test -f build/fuzz/build.ninja || cmake --preset fuzz --log-level=WARNING
	cmake --build build/fuzz -j $(JOBS)
	scripts/fuzz build/fuzz --seconds $(SECONDS) --jobs $(JOBS) --table $(TARGETS)

wheel: configure-program configure-permissive
	@scripts/setup wheels
	cmake --build build/release -j $(JOBS) --target src/geodome/all
	@echo 'Compiling the library without CHOLMOD: 2 to 5 minutes on two cores'
	cmake --build build/permissive -j $(JOBS) --target src/geodome/all
	scripts/build_wheels

configure-permissive:
	@scripts/setup build viewer
	@test -f build/permissive/build.ninja || cmake --preset permissive --log-level=WARNING >/dev/null

package: program
	@scripts/setup debian
	cpack --config build/release/CPackConfig.cmake -B build/packages

release-check:
	scripts/release_check

sources = $(shell git ls-files '*.h' '*.cpp')

format:
	@scripts/setup lint
	clang-format -i $(sources)

# Groups of files, as they are compiled (GEODOME_UNITY): headers are read once per group. The compile commands are those of
# g++, some of whose warnings clang-tidy does not know.
lint:
	@scripts/setup program viewer lint
	scripts/check_folder_order
	clang-format --dry-run --Werror $(sources)
	@cmake --preset program -B build/lint -DGEODOME_PRECOMPILE=OFF --log-level=WARNING >/dev/null
	run-clang-tidy -quiet -p build/lint -j $(JOBS) -extra-arg=-Wno-unknown-warning-option '^(?!.*/generated/)'

clean:
	rm -rf build
