/** The app's PDF renderer draws the pictures of pages in the PDF's colours, and leaves out undecodable ones. */
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { scannedPdf, type ScanCodec } from '@karaar/testing/faces/scans';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';

const loader = new URL('../../../libs/web-build/src/pdfjs-loader.mjs', import.meta.url);
const { default: pdfjsLoader } = (await import(fileURLToPath(loader))) as {
  default: (source: string) => string;
};
const pdfjs = async (file: string) =>
  pdfjsLoader(await readFile(fileURLToPath(import.meta.resolve(`pdfjs-dist/legacy/build/${file}`)), 'utf8'));

/** Draws the first page, and returns its middle pixel and the contents of its pictures. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import { getDocument, GlobalWorkerOptions } from '/pdf.min.mjs';
  GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
  globalThis.draw = async (url) => {
    const page = await (await getDocument({ url, useWasm: false }).promise).getPage(1);
    const canvas = document.createElement('canvas');
    await page.render({ canvas, viewport: page.getViewport({ scale: 1 }) }).promise;
    const middle = canvas.getContext('2d').getImageData(100, 100, 1, 1).data;
    return { middle: [...middle].slice(0, 3), decoded: [...page.objs].map(([, content]) => content !== null) };
  };
  document.title = 'ready';
</script>`;

let chromium: TestBrowser;
let server: Server;
let url: string;
beforeAll(async () => {
  const files: Record<string, string> = {
    '/pdf.min.mjs': await pdfjs('pdf.min.mjs'),
    '/pdf.worker.min.mjs': await pdfjs('pdf.worker.min.mjs'),
  };
  server = createServer(({ url: path = '' }, res) => {
    const script = files[path];
    if (path === '/') res.setHeader('content-type', 'text/html').end(PAGE);
    else if (script) res.setHeader('content-type', 'text/javascript').end(script);
    else
      scannedPdf(path.slice(1) as ScanCodec).then(
        (pdf) => res.end(pdf),
        (error: Error) => res.destroy(error),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  chromium = await launchChromium();
}, 60_000);
afterAll(async () => {
  await chromium.close();
  server.close();
});

type Drawn = { middle: number[]; decoded: boolean[] };

async function drawn(codec: ScanCodec): Promise<Drawn> {
  const page = await chromium.browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => document.title === 'ready');
  return (await page.evaluate(`draw('/${codec}')`)) as Drawn;
}

it('ignores the colour profile inside a picture, because the PDF names the colours', async () => {
  const { middle, decoded } = await drawn('profiled');
  expect(decoded).toEqual([true]);
  // The stored red; the profile would make it 105.
  expect(middle[0]).toBeLessThan(100);
}, 60_000);

it('leaves out a picture that it cannot decode, and lists it without content', async () => {
  expect(await drawn('cut')).toEqual({ middle: [255, 255, 255], decoded: [false] });
}, 60_000);
