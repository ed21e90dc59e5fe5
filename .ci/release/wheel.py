#!/usr/bin/env python3
"""Makes a wheel of a folder's files, with only what Python itself has.

    wheel.py FOLDER DIRECTORY VERSION TAG

FOLDER has the package fendex, and fendex-VERSION.dist-info with the licences. Prints the path of
the wheel.
"""

import ast
import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

folder, directory, version, tag = sys.argv[1:]
folder = pathlib.Path(folder)
info = folder / f"fendex-{version}.dist-info"
about = ast.get_docstring(ast.parse((folder / "fendex/__init__.py").read_text(encoding="utf-8")))
summary, description = about.split("\n\n", 1)

(info / "METADATA").write_text(f"""Metadata-Version: 2.1
Name: fendex
Version: {version}
Summary: {summary}
License: MIT
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Games/Entertainment :: Board Games
Classifier: Typing :: Typed
Description-Content-Type: text/x-rst

{description}
""", encoding="utf-8")
(info / "WHEEL").write_text(f"""Wheel-Version: 1.0
Generator: fendex
Root-Is-Purelib: false
Tag: {tag}
""", encoding="utf-8")

# The same bytes each time: the order of names and the date do not depend on the building machine.
seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
date = time.gmtime(max(seconds, 315532800))[:6]  # zip knows no date before 1980
record = ""
wheel = pathlib.Path(directory) / f"fendex-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

    def add(name, data, mode):
        entry = zipfile.ZipInfo(name, date)
        entry.external_attr = (0o100000 | mode) << 16
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)

    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        add(name, data, 0o755 if ".so" in path.name else 0o644)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    name = f"{info.name}/RECORD"
    add(name, record + f"{name},,\n", 0o644)
print(wheel)
