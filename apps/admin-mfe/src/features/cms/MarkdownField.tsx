import { PAGE_CONTENT_MAX, type Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { TextArea } from '@karaar/ui';
import { Toolbar, type Tool } from '@karaar/ui/navigation';
import { useRef, type KeyboardEvent } from 'react';
import { applyLineMark, applyMark, type LineMark, type Mark } from './markdown-tools.ts';
import css from './cms.module.css';
import { cmsTexts } from './texts.ts';

const MARKS: readonly Mark[] = ['bold', 'italic', 'link'];
const LINE_MARKS: readonly LineMark[] = ['heading', 'list', 'numbers', 'quote'];
/** With Ctrl or ⌘, as in other editors. */
const KEYS: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link' };

type MarkdownFieldProps = {
  value: string;
  language: Language;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** A text area for Markdown, with formatting by buttons and keys. */
export function MarkdownField({ value, language, onChange, error }: MarkdownFieldProps) {
  const t = useTexts(cmsTexts);
  const field = useRef<HTMLTextAreaElement>(null);
  const tools: Tool[] = [
    ...MARKS.map((mark) => ({
      icon: mark,
      label: t(mark),
      onUse: () => field.current && applyMark(field.current, mark),
    })),
    ...LINE_MARKS.map((mark) => ({
      icon: mark,
      label: t(mark),
      onUse: () => field.current && applyLineMark(field.current, mark),
    })),
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const mark = event.ctrlKey || event.metaKey ? KEYS[event.key.toLowerCase()] : undefined;
    if (!mark || event.altKey || event.shiftKey) return;
    event.preventDefault();
    applyMark(event.currentTarget, mark);
  };
  return (
    <div className={css.field}>
      <Toolbar label={t('tools')} tools={tools} />
      <TextArea
        ref={field}
        label={t('text')}
        hint={t('textHint')}
        error={error}
        rows={22}
        maxLength={PAGE_CONTENT_MAX}
        value={value}
        lang={language}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
