// A bot for GAME TITLE. Ludarium's docs/bots.md describes what it reads and answers: hello, game, turn and result.
#include <iostream>
#include <random>
#include <string>
#include <vector>

using std::string;
using std::vector;

std::mt19937_64 chance;
int seat = 0;  // your number in this game

// Your idea goes here: return the place of your choice in `actions`, from 0. // [one]
// Your idea goes here: return the place of your choice in `actions`, from 0, for one order after the other. // [orders]
// `position` is the board as a text (docs/notation.md).
size_t choose(const string& position, const vector<string>& actions) {
    return chance() % actions.size();
}

// C++ has no reader of JSON; this one knows what Ludarium sends. There are no spaces, and a quote within a text has a backslash before it,
// so that "key": stands where the key is. `at` moves behind what is read.

string read_value(const string& message, size_t& at) {
    string value;
    if (message[at] == '"') {
        for (at++; message[at] != '"'; at++) value += message[at] == '\\' ? message[++at] : message[at];
        at++;
    } else {
        while (message[at] != ',' && message[at] != ']' && message[at] != '}') value += message[at++];
    }
    return value;
}

string read(const string& message, const string& key) {
    size_t at = message.find("\"" + key + "\":") + key.size() + 3;
    return read_value(message, at);
}

vector<string> read_list(const string& message, const string& key, size_t& at) {
    vector<string> values;
    at = message.find("\"" + key + "\":[", at) + key.size() + 4;
    for (; message[at] != ']'; at += message[at] == ',') values.push_back(read_value(message, at));
    return values;
}

// What is chosen among the next actions of a message.
string chosen(const string& message, size_t& at) {
    const vector<string> actions = read_list(message, "actions", at);
    const vector<string> indices = read_list(message, "indices", at);
    return indices[choose(read(message, "position"), actions)];
}

int main() {
    for (string message; std::getline(std::cin, message);) {
        const string type = read(message, "type");
        if (type == "hello") {
            std::cout << R"({"type":"ready","name":"BOT NAME","send":["actions","indices"]})" << std::endl;
        } else if (type == "game") {
            seat = std::stoi(read(message, "seat"));
            chance.seed(std::stoull(read(message, "seed")));  // the same seed, the same choices
        } else if (type == "turn") {
            size_t at = 0;
            string action = chosen(message, at);
            while (message.find("\"actions\":[", at) != string::npos) action += "," + chosen(message, at); // [orders]
            action = "[" + action + "]"; // [orders]
            std::cout << "{\"type\":\"action\",\"action\":" << action << "}" << std::endl;
        }
    }
}
