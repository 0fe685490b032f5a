/** The job cannot succeed however often it is tried; the text is shown on the document, the code in other languages. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
