import { useTexts } from '@karaar/i18n';
import { useState } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import { copyText } from './copy.ts';
import css from './data.module.css';
import { grouped, shortened } from './format.ts';

type CodeTextProps = {
  /** Document code or user id. */
  code: string;
  /** The name of the code for the copy button: "document code". */
  label: string;
  copy?: boolean;
  /** A long id for copying: its beginning and end, in one line. */
  short?: boolean;
};

/** A monospaced code, shown in groups of four, copied whole. */
export function CodeText({ code, label, copy = true, short = false }: CodeTextProps) {
  const t = useTexts(uiTexts);
  const [copied, setCopied] = useState(false);
  const write = async () => {
    if (!(await copyText(code))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const text = (
    <span className={short ? css.id : css.code} translate="no" title={short ? code : undefined}>
      <span aria-hidden="true">{short ? shortened(code) : grouped(code)}</span>
      <span className="k-hidden">{code}</span>
    </span>
  );
  if (!copy) return text;
  return (
    <span className={css.codeBox}>
      {text}
      <button
        type="button"
        className={css.copy}
        onClick={() => void write()}
        aria-label={t('copy', { what: label })}
        title={t('copy', { what: label })}
      >
        <Icon name={copied ? 'tick' : 'copy'} size={17} />
      </button>
      <span className="k-hidden" role="status">
        {copied ? t('copied') : ''}
      </span>
    </span>
  );
}
