type Work = () => void;

/**
 * What is put off to the end of a turn of the event loop: first all that asks for something, then all that sends what was asked for, so that
 * it leaves together. What is asked for alone leaves as soon as before.
 */
export class EndOfTurn {
  readonly #asks: Work[] = [];
  #sends: Work[] = [];
  #isDue = false;

  ask(work: Work): void {
    this.#asks.push(work);
    this.#wait();
  }

  send(work: Work): void {
    this.#sends.push(work);
    this.#wait();
  }

  #wait(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    // What is asked for while others ask is of the same turn.
    for (let work = this.#asks.shift(); work !== undefined; work = this.#asks.shift()) work();
    const sends = this.#sends;
    this.#sends = [];
    this.#isDue = false;
    for (const work of sends) work();
  }
}
