export { checker, type Checked, type Checker } from './checker.ts';
export { toFaults } from './faults.ts';
export { isBlank, readLine, readLines, readName, visiblePart } from './human-text.ts';
export { oneLine, plainText } from './texts.ts';
export { fromText, fromTextObject } from './from-text.ts';
