import { toast } from '@karaar/ui';
import { useRef, useState } from 'react';
import { refusedField } from './refused-field.ts';

const LENGTH = 6;

/**
 * A one-time code with its fault, which its boxes show with focus.
 * @param missing the fault of an incomplete code
 */
export function useCode(missing: string) {
  const ref = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [fault, setFault] = useState<string>();
  const focus = () => ref.current?.focus();
  const show = (text: string) => {
    setFault(text);
    focus();
  };
  return {
    otp,
    focus,
    isWhole: (): boolean => {
      if (otp.length !== LENGTH) show(missing);
      return otp.length === LENGTH;
    },
    /** Shows a wrong code at the boxes, which are empty again; other errors in a toast. */
    refuse: (error: unknown, text: string): void => {
      if (refusedField(error) !== 'otp') return toast.error(text);
      setOtp('');
      show(text);
    },
    field: {
      ref,
      value: otp,
      error: fault,
      onChange: (code: string) => {
        setOtp(code);
        if (code) setFault(undefined);
      },
    },
  };
}
