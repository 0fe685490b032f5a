import { create } from 'qrcode';
import { useMemo } from 'react';
import css from './qr.module.css';

/** The quiet zone around the code, in modules, which readers need. */
const QUIET = 4;

/** A text as a QR code. Drawn locally: the text is not sent anywhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const dark = [...modules.data].flatMap((on, at) =>
      on ? [`M${(at % modules.size) + QUIET} ${Math.floor(at / modules.size) + QUIET}h1v1h-1z`] : [],
    );
    return { path: dark.join(''), size: modules.size + 2 * QUIET };
  }, [text]);
  return (
    <svg role="img" aria-label={label} className={css.qr} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}
