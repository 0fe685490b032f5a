import { toast } from '../feedback/toast.tsx';
import { uiTexts } from '../texts.ts';

/**
 * Puts a text into the clipboard. Where the browser refuses (no permission, a page that is not https, an old browser)
 * the user is told to copy it by hand, and the answer is false.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Whatever the reason: what the user can do is the same.
    toast.error(uiTexts.say('copyRefused'));
    return false;
  }
}
