export default () => globalThis.documentsConverter.stop();
