/** What the oracle asks to be paid before it answers. */
export function PaymentNotice({ claims }: { readonly claims: readonly string[] }) {
  return (
    <div className="notice stack" role="alert">
      <p>
        <strong>The oracle asks for payment</strong> before it answers. Your message was not taken; send it again once
        the claim is paid.
      </p>
      <ul className="linked small">
        {claims.map((claim) => (
          <li key={claim}>
            <code className="break">{claim}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
