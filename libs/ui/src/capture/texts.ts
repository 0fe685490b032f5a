export const cameraTexts = {
  denied: 'Camera access denied. Please allow camera permissions and try again.',
  none: 'No camera found on your device. Please connect a camera and try again.',
  inUse: 'Camera is already in use by another application. Please close other camera apps and try again.',
  noFrames: 'Camera stream is active but no frames received. Try switching camera or upload from device.',
  unsupported: 'Camera access not supported in this browser',
  general:
    'Failed to access camera. Please ensure camera permissions are granted and camera is not being used by another application.',
  starting: 'Starting the camera',
  live: 'Live picture of your camera',
  taken: 'The photo that you have taken',
  capture: 'Capture',
  retake: 'Retake',
  submit: 'Submit Photo',
  switch: 'Switch front/back camera',
  again: 'Start the camera again',
} as const;

export const signatureTexts = {
  canvas: 'Draw your signature here with a finger, a pen or the mouse',
  clear: 'Clear Signature',
  save: 'Save Signature',
  upload: 'Upload a signature image instead',
} as const;
