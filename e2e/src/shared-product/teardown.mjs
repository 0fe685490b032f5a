/** Stops the product of setup.mjs and removes its data. */
export default async function teardown() {
  await globalThis.journeyProduct.stop({ remove: true });
  await globalThis.journeyCollector.stop();
  clearInterval(globalThis.journeyKeepAlive);
}
