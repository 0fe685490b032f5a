/**
 * A polyfill before the library: PDF.js' legacy build needs this function, which Chrome 118 lacks, in the
 * page and its worker.
 */
const WITH_RESOLVERS = `Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
};
`;

/**
 * The worker's decoder of JPEG images, by `createImageBitmap`: PDF.js' own script needs 1 s for a scan and leaves
 * 30 MB to the garbage collector, and browsers release the frames of their own ImageDecoder late.
 */
const JPEG_DECODER = `if ('WorkerGlobalScope' in globalThis) globalThis.ImageDecoder = class {
  static async isTypeSupported(type) {
    return type === 'image/jpeg';
  }
  #image;
  constructor(image) {
    this.#image = image;
  }
  async decode() {
    const { data, type, desiredWidth: resizeWidth, desiredHeight: resizeHeight } = this.#image;
    // PDF viewers ignore the image's own colour profile: the PDF names the colours.
    const options = { resizeWidth, resizeHeight, colorSpaceConversion: 'none' };
    return { image: await createImageBitmap(new Blob([data], { type }), options) };
  }
  close() {}
};
`;

/** @type {import('webpack').LoaderDefinitionFunction} */
export default function pdfjsLoader(source) {
  return WITH_RESOLVERS + JPEG_DECODER + source;
}
