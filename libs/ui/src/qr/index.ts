/** QR codes, built into the parts that show one, on demand. */
export { QrCode } from './QrCode.tsx';
