#!/usr/bin/env bash
# One task of a SLURM array per shape: task k builds the shape in line k of a list.
#
#   ls shapes/*.ply > shapes.txt
#   sbatch --array=1-$(wc -l < shapes.txt)%100 examples/many/slurm_array.sh shapes.txt matrices [OPTION of geodome build ...]
#
# Writes matrices/NAME.geodome, or nothing. A task that SLURM requeues resumes from the progress it has saved. To build some
# shapes again: --array=3,17.
#SBATCH --job-name=geodome
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: sbatch --array=1-N $(basename "$0") LIST FOLDER [OPTION of geodome build ...]" >&2
  exit 2
fi
list=$1 folder=$2 task=${SLURM_ARRAY_TASK_ID:?is set in tasks of an array: submit with sbatch --array=1-N}
shift 2

shape=$(sed -n "${task}p" "$list")
if [ -z "$shape" ]; then
  echo "line $task of $list is empty: the array must be --array=1-$(wc -l <"$list")" >&2
  exit 2
fi

names() { sed 's|.*/||; s|\.gz$||; s|\(.\)\.[^.]*$|\1|'; }
name=$(names <<<"$shape")
if [ "$(names <"$list" | grep -Fxc -- "$name")" != 1 ]; then
  echo "several shapes of $list would be written to $folder/$name.geodome: give their files different names" >&2
  exit 2
fi

mkdir -p "$folder"
exec geodome build "$shape" -o "$folder/$name.geodome" --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
