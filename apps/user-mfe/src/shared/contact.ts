/** Returns true if a text can be a phone number or an e-mail address; the server decides. */
export function isContact(typed: string): boolean {
  const text = typed.trim();
  return /^(\+91|0)?\d{10}$/.test(text.replaceAll(/[\s()-]/g, '')) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
