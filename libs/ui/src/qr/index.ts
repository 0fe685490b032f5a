/** A text for the camera of a phone. `@karaar/ui/qr`: built into the parts that show one, on demand. */
export { QrCode } from './QrCode.tsx';
