import { money, shortMoney } from '@karaar/ui';
import { Chart } from '@karaar/ui/charts';
import { wide, type Group } from '../gallery.ts';

const days = ['15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov', '21 Nov'];
const points = (values: number[]) => days.map((label, at) => ({ label, value: values[at] ?? 0 }));

export const charts: Group = {
  title: 'Charts',
  entries: [
    wide('Chart', 'Bars or a line, with the same numbers as a table at one press.', {
      bar: (
        <Chart
          kind="bar"
          title="Payments per day"
          heads={['Day', 'Paid']}
          points={points([1200, 850, 0, 2400, 1900, 3100, 640])}
          format={shortMoney}
        />
      ),
      line: (
        <Chart
          kind="line"
          title="Balance"
          heads={['Day', 'Balance']}
          points={points([250, 180, 680, 640, 610, 1610, 1450])}
          format={money}
        />
      ),
    }),
  ],
};
