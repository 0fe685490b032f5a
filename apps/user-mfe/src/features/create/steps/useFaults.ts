import { useTexts } from '@karaar/i18n';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CreateForm } from '../form/form.ts';
import type { useTarget } from '../people/useTarget.ts';
import { createTexts } from '../texts.ts';
import { faultsOf, type Fault, type Step } from './steps.ts';

/** The input name of the field of a fault. */
const FIELD_NAMES: Record<Fault['field'], string> = {
  files: 'raw_documents',
  name: 'name',
  target: 'target_user_char_id',
  answer_by: 'answer_by',
  start_date: 'start_date',
  end_date: 'end_date',
};

type Input = { form: CreateForm; fileCount: number; target: ReturnType<typeof useTarget> };

/** The faults of the form. A step shows its own once the user tried to leave it. */
export function useFaults({ form, fileCount, target }: Input, step: Step, go: (step: Step) => void) {
  const t = useTexts(createTexts);
  const [tried, setTried] = useState<readonly Step[]>([]);
  const focusOn = useRef<Fault>(undefined);
  const faults = faultsOf(form, fileCount, target.fault);
  // The field of a fault exists once its step is rendered.
  const focus = useEffectEvent(() => {
    if (focusOn.current?.step !== step) return;
    const { field } = focusOn.current;
    const name = field === 'target' && form.invite_by === 'contact' ? 'target_contact' : FIELD_NAMES[field];
    document.getElementsByName(name)[0]?.focus();
    focusOn.current = undefined;
  });
  useEffect(() => focus(), [step, tried]);
  return {
    faults,
    /** Returns the text of a field's fault. */
    faultAt: (field: Fault['field']) => {
      const fault = faults.find((each) => each.field === field && tried.includes(each.step));
      return fault && t(fault.key);
    },
    /** Opens the step of a fault and focuses its field. */
    show: (fault: Fault) => {
      setTried((now) => [...now, fault.step]);
      focusOn.current = fault;
      if (fault.step !== step) go(fault.step);
    },
  };
}
