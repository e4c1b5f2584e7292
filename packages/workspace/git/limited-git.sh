#!/bin/sh
# Runs git under the limits of packages/workspace/process/child-output.ts. simple-git can start a program with one
# argument in front of git's own: this file.
ulimit -d 1048576
ulimit -t 30
exec git "$@"
