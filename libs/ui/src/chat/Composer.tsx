import { useTexts } from '@karaar/i18n';
import { Icon, IconButton, partTexts } from '@karaar/ui';
import { useId, useRef, type KeyboardEvent } from 'react';
import css from './chat.module.css';

type ComposerProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
  onAttach?: (file: File) => void;
  disabled?: boolean;
};

/** Where a message is written. Enter sends, Shift+Enter makes a new line; it grows up to six lines. */
export function Composer({ label, placeholder, value, onChange, onSend, onAttach, disabled }: ComposerProps) {
  const t = useTexts(partTexts);
  const id = useId();
  const files = useRef<HTMLInputElement>(null);
  const empty = value.trim() === '';
  const send = () => {
    if (!empty && !disabled) onSend();
  };
  const key = (event: KeyboardEvent) => {
    // While an input method composes (Hindi on a phone), Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {onAttach && (
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
            hidden
            onChange={(event) => {
              const file = event.target.files?.[0];
              event.target.value = '';
              if (file) onAttach(file);
            }}
          />
        </>
      )}
      <label htmlFor={id} className="k-hidden">
        {label}
      </label>
      <textarea
        id={id}
        rows={1}
        className={css.write}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={key}
      />
      <button
        type="submit"
        className={css.send}
        aria-label={t('send')}
        title={t('send')}
        disabled={empty || disabled}
      >
        <Icon name="send" />
      </button>
    </form>
  );
}
