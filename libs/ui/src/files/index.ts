/** Files and their upload. */
export { FileRows, type FileRow } from './FileRows.tsx';
