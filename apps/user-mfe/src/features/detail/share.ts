/** Shares by the device's share sheet, or copies the link to the clipboard. */
export async function shareOrCopy(
  content: ShareData & { url: string },
  copy: (text: string) => Promise<boolean>,
): Promise<'shared' | 'copied' | 'neither'> {
  // The share sheet of a computer offers less than its clipboard.
  const byTouch = matchMedia('(pointer: coarse)').matches;
  if (byTouch && typeof navigator.share === 'function' && navigator.canShare?.(content)) {
    try {
      await navigator.share(content);
      return 'shared';
    } catch (error) {
      // The user closed the sheet; after other errors the clipboard is used.
      if (error instanceof DOMException && error.name === 'AbortError') return 'neither';
    }
  }
  return (await copy(content.url)) ? 'copied' : 'neither';
}
