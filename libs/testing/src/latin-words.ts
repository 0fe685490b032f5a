/**
 * Words that stay in Latin letters in a text of another script: the product's name, and what people in India write and say
 * that way. Whatever else is found in Latin letters was not translated.
 */
const WORDS = [
  ...[
    'Karaar',
    'WhatsApp',
    'OTP',
    'SMS',
    'PDF',
    'INR',
    'UPI',
    'GST',
    'GSTIN',
    'PIN',
    'QR',
    'URL',
    'API',
    'ID',
    'IP',
    'A',
    'Z',
    'CSV',
    'CMS',
    'Markdown',
  ],
  ...[
    'PNG',
    'JPG',
    'JPEG',
    'DOC',
    'DOCX',
    'KB',
    'MB',
    'GB',
    '10MB',
    'JavaScript',
    'Chrome',
    'Edge',
    'Firefox',
    'Safari',
    'https',
    'PAN',
    'TOTP',
    'SHA',
    'SHA-256',
  ],
];

const known = new Set(WORDS.map((word) => word.toLowerCase()));

/** The words of a text in Latin letters that are not among those that stay so. */
export function untranslatedWords(text: string): string[] {
  const words = text.match(/[\p{Script=Latin}\p{N}]+(?:['’&-][\p{Script=Latin}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => /\p{Script=Latin}/u.test(word) && !known.has(word.toLowerCase()));
}
