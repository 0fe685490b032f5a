import { toast } from '../feedback/toast.tsx';
import { uiTexts } from '../texts.ts';

/**
 * Copies a text to the clipboard. If the browser refuses (no permission, no https, an old browser), asks the
 * user to copy it by hand and returns false.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Any error: the remedy is the same.
    toast.error(uiTexts.say('copyRefused'));
    return false;
  }
}
