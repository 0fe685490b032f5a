/**
 * Words that stay in Latin letters in a text of another script: the product's name, and terms that people in
 * India write that way. Any other Latin word was not translated.
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

/** Returns the Latin words of a text that should have been translated. */
export function untranslatedWords(text: string): string[] {
  const words = text.match(/[\p{Script=Latin}\p{N}]+(?:['’&-][\p{Script=Latin}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => /\p{Script=Latin}/u.test(word) && !known.has(word.toLowerCase()));
}
