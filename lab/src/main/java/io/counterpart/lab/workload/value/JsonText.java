package io.counterpart.lab.workload.value;

/**
 * Records of an imagined shop as JSON, one after another until the value is full. Not thread-safe.
 */
final class JsonText {
  private static final String[] STATES = {"pending", "paid", "shipped", "delivered", "returned"};
  private static final String[] CURRENCIES = {"EUR", "USD", "GBP", "JPY"};

  private final SeededText text;

  JsonText(SeededText text) {
    this.text = text;
  }

  void fill() {
    while (!text.isFull()) {
      record();
    }
  }

  private void record() {
    text.put("{\"order_id\":").put(digits(10));
    text.put(",\"customer_id\":").put(digits(12));
    text.put(",\"status\":\"").put(STATES[text.next(STATES.length)]);
    text.put("\",\"currency\":\"").put(CURRENCIES[text.next(CURRENCIES.length)]);
    text.put("\",\"created_at\":\"2026-").put(date());
    text.put("\",\"items\":[");
    for (int items = 1 + text.next(4); items > 0; items--) {
      item(items == 1 ? "}" : "},");
    }
    text.put("],\"comment\":\"").words(4 + text.next(12)).put("\"}\n");
  }

  private void item(String end) {
    text.put("{\"sku\":\"").put(digits(12));
    text.put("\",\"name\":\"").words(2);
    text.put("\",\"quantity\":").put(Integer.toString(1 + text.next(9)));
    text.put(",\"unit_price\":").put(Integer.toString(text.next(500)));
    text.put(".").put(digits(2)).put(end);
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      digits.append((char) ('0' + text.next(10)));
    }
    return digits.toString();
  }

  private String date() {
    return "%02d-%02dT%02d:%02d:%02dZ"
        .formatted(
            1 + text.next(12), 1 + text.next(28), text.next(24), text.next(60), text.next(60));
  }
}
