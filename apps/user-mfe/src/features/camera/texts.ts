export const cameraTestTexts = {
  title: 'Camera Capture',
  lead: 'Try your camera before you need it. Nothing is sent; the photo stays in this browser.',
  works: 'Your camera works.',
  photo: 'The photo that you have taken',
  again: 'Try again',
  toLogin: 'Go to sign in',
} as const;
