/**
 * A phone number as people in India write it: +91 98765 43210, or +91 ••••••3210 where only the end is shown. Others stay as
 * they are. Pure.
 * @param phone +919876543210
 */
export const phoneText = (phone: string): string =>
  phone.replace(/^\+91(\d{5})(\d{5})$/, '+91 $1 $2').replace(/^\+91(?=•)/, '+91 ');
