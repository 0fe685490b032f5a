import { useEffect } from 'react';

/** Names the browser tab after the screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Karaar`;
  }, [title]);
}
