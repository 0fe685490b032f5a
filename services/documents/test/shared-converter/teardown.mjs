/** Ends what setup.mjs started, with its files. */
export default () => globalThis.documentsConverter.stop();
