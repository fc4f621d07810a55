"""CMake refuses to build inside the source tree, and says what to do."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

source, cmake = pathlib.Path(sys.argv[1]), sys.argv[2]
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(source / "CMakeLists.txt", folder)
    run = subprocess.run([cmake, "."], cwd=folder, capture_output=True,
                         text=True)
if run.returncode == 0 or "cmake --preset" not in run.stderr:
    print(run.stdout, run.stderr)
    sys.exit("an in-source build was not refused")
