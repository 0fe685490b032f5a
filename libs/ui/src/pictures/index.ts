/** Pictures for empty and failed screens and for steps. */
export { Picture, type PictureName } from './Picture.tsx';
export { Welcome } from './Welcome.tsx';
