import { useTexts } from '@karaar/i18n';
import { Icon, IconButton, partTexts } from '@karaar/ui';
import {
  useId,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import css from './chat.module.css';

type ComposerProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
  onAttach?: (file: File) => void;
  /** The allowed files, as an `accept` attribute. */
  accept?: string;
  /** The attachment; with it the text may be empty. */
  attached?: ReactNode;
  /** The maximum number of characters; the remaining number is shown near the limit. */
  limit?: number;
  disabled?: boolean;
};

/** The remaining characters at which the count appears. */
const NEAR = 200;

/** The message input. Enter sends, Shift+Enter makes a new line; it grows up to six lines. */
export function Composer(props: ComposerProps) {
  const { label, placeholder, value, onChange, onSend, onAttach, accept, attached, limit, disabled } = props;
  const t = useTexts(partTexts);
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  useGrowing(text, value);
  // Counts code points, as the server does, not UTF-16 units.
  const left = limit === undefined ? Infinity : limit - [...value.trim()].length;
  const nothing = (value.trim() === '' && !attached) || left < 0;
  const send = () => {
    if (nothing || disabled) return;
    onSend();
    text.current?.focus();
  };
  const key = (event: KeyboardEvent) => {
    // While an input method composes (Hindi on a phone), Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (!file || !onAttach) return;
    event.preventDefault();
    onAttach(file);
  };
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {attached && <div className={css.attached}>{attached}</div>}
      {onAttach && <AttachButton accept={accept} disabled={disabled} onAttach={onAttach} />}
      <label htmlFor={id} className="k-hidden">
        {label}
      </label>
      <div className={css.writing}>
        <textarea
          ref={text}
          id={id}
          rows={1}
          dir="auto"
          className={css.write}
          placeholder={placeholder}
          value={value}
          aria-invalid={left < 0 || undefined}
          aria-describedby={left <= NEAR ? `${id}-left` : undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={key}
          onPaste={paste}
        />
        {left <= NEAR && (
          <span id={`${id}-left`} className={css.left} data-over={left < 0 || undefined} role="status">
            {left < 0 ? t('tooLong', { count: -left }) : t('charactersLeft', { count: left })}
          </span>
        )}
      </div>
      <button
        type="submit"
        className={css.send}
        aria-label={t('send')}
        title={t('send')}
        disabled={nothing || disabled}
      >
        <Icon name="send" />
      </button>
    </form>
  );
}

type AttachButtonProps = {
  accept: string | undefined;
  disabled: boolean | undefined;
  onAttach: (file: File) => void;
};

function AttachButton({ accept, disabled, onAttach }: AttachButtonProps) {
  const t = useTexts(partTexts);
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="clip"
        label={t('attach')}
        disabled={disabled}
        onClick={() => files.current?.click()}
      />
      <input
        ref={files}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onAttach(file);
        }}
      />
    </>
  );
}

/** Grows the field with its text in browsers without `field-sizing`. */
function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, value: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [field, value]);
}
