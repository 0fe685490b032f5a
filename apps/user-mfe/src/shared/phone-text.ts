/**
 * Formats a phone number as in India: +91 98765 43210, or +91 ••••••3210 if masked. Others stay unchanged.
 * Pure.
 * @param phone +919876543210
 */
export const phoneText = (phone: string): string =>
  phone.replace(/^\+91(\d{5})(\d{5})$/, '+91 $1 $2').replace(/^\+91(?=•)/, '+91 ');
