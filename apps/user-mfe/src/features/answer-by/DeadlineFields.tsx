import { Stack } from '@karaar/ui';
import AnswerByField from './AnswerByField.tsx';
import { LateField } from './LateField.tsx';

export type Deadline = { answer_by: string; late: string };
type DeadlineFieldsProps = Deadline & { error: string | undefined; onChange: (deadline: Deadline) => void };

/** The date by which the other party is asked to answer and, with one, what happens after it. */
export default function DeadlineFields({ answer_by, late, error, onChange }: DeadlineFieldsProps) {
  return (
    <Stack>
      <AnswerByField value={answer_by} error={error} onChange={(day) => onChange({ answer_by: day, late })} />
      {answer_by && (
        <div>
          <LateField
            cancels={late === 'cancel'}
            onChange={(cancels) => onChange({ answer_by, late: cancels ? 'cancel' : '' })}
          />
        </div>
      )}
    </Stack>
  );
}
