"""Judges the photos on stdin by OpenCV's Haar cascades, on one thread, and prints the answers.

The input is {"warmUp": ..., "questions": [{"path": ..., "type": "faces" | "eyes", "smallest": pixels}]}. The parameters
are those of OpenCV's tutorial.
"""

import json
import sys
import time

import cv2
import numpy

cv2.setNumThreads(1)
FOLDER = "/usr/share/opencv4/haarcascades/"
CASCADES = {
    "faces": cv2.CascadeClassifier(FOLDER + "haarcascade_frontalface_default.xml"),
    "eyes": cv2.CascadeClassifier(FOLDER + "haarcascade_eye.xml"),
}
LONGEST = 1280


def ask(photo, kind, smallest=0):
    """Decodes (upright by EXIF), scales to the size that our service uses, and searches."""
    grey = cv2.imdecode(photo, cv2.IMREAD_GRAYSCALE)
    if grey is None:
        return False
    factor = LONGEST / max(grey.shape)
    if factor < 1:
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    found = CASCADES[kind].detectMultiScale(cv2.equalizeHist(grey), 1.1, 3, minSize=(smallest, smallest))
    return len(found) > 0


def load(question):
    return numpy.fromfile(question["path"], numpy.uint8), question["type"], question.get("smallest", 0)


given = json.load(sys.stdin)
for question in given["questions"][: given["warmUp"]]:
    ask(*load(question))
answers = []
for question in given["questions"]:
    loaded = load(question)
    before = time.process_time()
    started = time.perf_counter()
    ok = ask(*loaded)
    ms = (time.perf_counter() - started) * 1000
    answers.append({"ok": ok, "ms": ms, "cpuMs": (time.process_time() - before) * 1000})
json.dump(answers, sys.stdout)
