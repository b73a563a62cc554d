// A bot for GAME TITLE. Ludarium's docs/bots.md describes what it reads and answers: hello, game, turn and result.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class Bot {
    static Random chance = new Random();
    static int seat = 0; // your number in this game

    // Your idea goes here: return the place of your choice in `actions`, from 0. // [one]
    // Your idea goes here: return the place of your choice in `actions`, from 0, for one order after the other. // [orders]
    // `position` is the board as a text (docs/notation.md).
    static int choose(String position, List<String> actions) {
        return chance.nextInt(actions.size());
    }

    // Java has no reader of JSON; this one knows what Ludarium sends. There are no spaces, and a quote within a text has a backslash
    // before it, so that "key": stands where the key is. `at` is where it reads.
    static String message;
    static int at;

    static String readValue() {
        StringBuilder value = new StringBuilder();
        if (message.charAt(at) == '"') {
            for (at++; message.charAt(at) != '"'; at++) value.append(message.charAt(message.charAt(at) == '\\' ? ++at : at));
            at++;
        } else {
            while (",]}".indexOf(message.charAt(at)) < 0) value.append(message.charAt(at++));
        }
        return value.toString();
    }

    static String read(String key) {
        at = message.indexOf("\"" + key + "\":") + key.length() + 3;
        return readValue();
    }

    static List<String> readList(String key) {
        List<String> values = new ArrayList<>();
        at = message.indexOf("\"" + key + "\":[", at) + key.length() + 4;
        while (message.charAt(at) != ']') {
            values.add(readValue());
            if (message.charAt(at) == ',') at++;
        }
        return values;
    }

    // What is chosen among the next actions of the message.
    static String chosen(String position) {
        List<String> actions = readList("actions");
        List<String> indices = readList("indices");
        return indices.get(choose(position, actions));
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while ((message = input.readLine()) != null) {
            switch (read("type")) {
                case "hello" -> answer("{\"type\":\"ready\",\"name\":\"BOT NAME\",\"send\":[\"actions\",\"indices\"]}");
                case "game" -> {
                    seat = Integer.parseInt(read("seat"));
                    chance = new Random(Long.parseLong(read("seed"))); // the same seed, the same choices
                }
                case "turn" -> {
                    String position = read("position");
                    String action = chosen(position);
                    while (message.indexOf("\"actions\":[", at) >= 0) action += "," + chosen(position); // [orders]
                    action = "[" + action + "]"; // [orders]
                    answer("{\"type\":\"action\",\"action\":" + action + "}");
                }
            }
        }
    }

    static void answer(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
