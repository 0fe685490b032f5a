/** Hands something on by the device's own sheet of ways to share, else puts its link into the clipboard. */
export async function shareOrCopy(
  what: ShareData & { url: string },
  copy: (text: string) => Promise<boolean>,
): Promise<'shared' | 'copied' | 'neither'> {
  // A computer's sheet holds less than its clipboard does.
  const byTouch = matchMedia('(pointer: coarse)').matches;
  if (byTouch && typeof navigator.share === 'function' && navigator.canShare?.(what)) {
    try {
      await navigator.share(what);
      return 'shared';
    } catch (error) {
      // Put away by its user; anything else leaves the clipboard.
      if (error instanceof DOMException && error.name === 'AbortError') return 'neither';
    }
  }
  return (await copy(what.url)) ? 'copied' : 'neither';
}
