/**
 * Test images drawn by the project itself, so that no real person's photo is needed anywhere.
 * A face is an SVG with skin shading, eyes, brows, nose and mouth; sharp rasterises it. The vision
 * service finds it as it finds a photo, and judges its eyes open or closed as drawn.
 */
export type { FaceLook, Skin } from './face-drawing.ts';
export { blankImage, faceImage, noiseImage, type FaceImageOptions, type ImageFormat } from './face-image.ts';
export { fakeCameraMjpeg, type FakeCameraOptions } from './fake-camera.ts';
export { idCardPng, lookalikePng, signaturePng, type Lookalike } from './pictures.ts';
