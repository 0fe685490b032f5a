/**
 * Generated test images, so that no photo of a real person is needed. A face is an SVG with skin shading,
 * eyes, brows, nose and mouth, rasterised by sharp. The vision service detects it like a photo, and judges
 * its eyes open or closed as drawn.
 */
export type { FaceLook, Skin } from './face-drawing.ts';
export { blankImage, faceImage, noiseImage, type FaceImageOptions, type ImageFormat } from './face-image.ts';
export { fakeCameraMjpeg, type FakeCameraOptions } from './fake-camera.ts';
export { idCardPng, lookalikePng, signaturePng, type Lookalike } from './pictures.ts';
