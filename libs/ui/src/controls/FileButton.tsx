import { useRef, type ComponentProps } from 'react';
import { Button } from './Button.tsx';

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'as' | 'onClick' | 'type'> & {
  /** The input's accept list. The caller checks again, because the browser's filter can be bypassed. */
  accept: string;
  /** The name of the file input, for forms. */
  name?: string;
  onFile: (file: File) => void;
};

/** A button that opens the device's file picker. */
export function FileButton({ accept, name, onFile, children, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" {...button} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        name={name}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          // So that the same file can be chosen again.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
