/** Small charts that can be read as tables. `@karaar/ui/charts`. */
export { Chart, type ChartPoint } from './Chart.tsx';
