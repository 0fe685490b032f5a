/** Small charts that can be read as tables. */
export { Chart, type ChartPoint } from './Chart.tsx';
