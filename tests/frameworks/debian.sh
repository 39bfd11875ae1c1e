#!/bin/sh
# Unpacks the framework pre-commit of Debian, and what it needs, into a folder; installs nothing, needs no rights.
set -eu
mkdir -p "$1" && cd "$1"
apt-get download -qq pre-commit python3-cfgv python3-identify nodeenv python3-virtualenv python3-yaml \
  python3-platformdirs python3-distlib python3-filelock python3-importlib-metadata python3-zipp \
  python3-more-itertools python3-pkg-resources python3-setuptools
for package in *.deb; do
  dpkg-deb --extract "$package" .
  rm "$package"
done
touch ready
