import os
import subprocess

subprocess.run(["./t.sh", os.environ["BRANCH"]], check=True)
