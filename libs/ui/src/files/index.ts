/** Files on their way. `@karaar/ui/files`. */
export { FileRows, type FileRow } from './FileRows.tsx';
