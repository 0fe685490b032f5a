/** The job cannot succeed however often it is tried; the text is shown on the document. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}
