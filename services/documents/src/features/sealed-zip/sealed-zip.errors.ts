import { payloadTooLarge, unavailable, unprocessable } from '@karaar/base/errors';

export const tooManyToDownload = () =>
  unprocessable('too_many_to_download', 'One download has at most 50 documents. Choose fewer.');
export const tooLargeToDownload = () =>
  payloadTooLarge(
    'too_large_to_download',
    'Together these documents are larger than 1 GB. Choose fewer for one download.',
  );
export const sealedPdfUnreadable = (cause: unknown) =>
  unavailable(
    'sealed_pdf_unreadable',
    'One of the sealed PDFs could not be read, so nothing was downloaded. Please try again later, or choose fewer documents.',
    cause,
  );
