"""haar.py FOLDER: looks at every photo with OpenCV's frontal face cascade, on one thread; prints its Samples."""

import json
import os
import sys
import time

import cv2
import numpy

cv2.setNumThreads(1)
cascade = cv2.CascadeClassifier("/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml")
folder = sys.argv[1]
files = sorted(os.listdir(folder))
photos = []
for name in files:
    with open(os.path.join(folder, name), "rb") as photo:
        photos.append(numpy.frombuffer(photo.read(), numpy.uint8))


def has_face(photo):
    """Decodes and looks, with the parameters of OpenCV's own tutorial and a smallest face of 100 pixels."""
    grey = cv2.equalizeHist(cv2.imdecode(photo, cv2.IMREAD_GRAYSCALE))
    return len(cascade.detectMultiScale(grey, 1.1, 3, minSize=(100, 100))) > 0


for photo in photos:
    has_face(photo)
samples = []
for name, photo in zip(files, photos):
    before = time.process_time()
    started = time.perf_counter()
    face = has_face(photo)
    ms = (time.perf_counter() - started) * 1000
    cpu_ms = (time.process_time() - before) * 1000
    samples.append({"file": name, "ms": ms, "cpuMs": cpu_ms, "face": face})
json.dump(samples, sys.stdout)
